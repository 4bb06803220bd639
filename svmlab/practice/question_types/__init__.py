"""The question types, one in each module. `svmlab.practice` says how to add one."""
