"""Records: finished matches in files (.zgr), and their verification."""
