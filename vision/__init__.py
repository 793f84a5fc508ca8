"""From a picture to a reading: loading, finding, reading, layout, drawing; rendered scenes and training."""
