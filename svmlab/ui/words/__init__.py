"""The words of the lessons, one table a page; those of the lab are in `svmlab.ui.text`."""
