"""From a picture to a reading: loading, finding and reading tiles, layout, drawing; rendered scenes and training."""
