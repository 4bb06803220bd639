"""The goals, in a module for each lesson. `svmlab.practice` says how to add one."""
