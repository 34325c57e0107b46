"""Types of what is sent and received: `v1` has those of the service, `control` those of the control API.

They are TypedDicts: at run time, requests and responses are plain dicts.
"""

from . import control, v1

__all__ = ["control", "v1"]
