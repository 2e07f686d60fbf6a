"""The stores: each owns one outside thing, none imports another."""
