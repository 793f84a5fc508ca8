"""The local web page: photo counting in Romanian and English, with its JSON interface."""
