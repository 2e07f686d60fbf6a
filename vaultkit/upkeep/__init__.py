"""Keeping an installation in order: settings and timers."""
