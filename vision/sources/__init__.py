"""Where frames come from: cameras, streams, video files, folders of pictures."""
