"""Settings of the package's own tests."""

pytest_plugins = ["pytester"]
