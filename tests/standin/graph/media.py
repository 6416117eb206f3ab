"""Images used as the media of products and variants, and as swatches."""

from zlib import crc32

from tests.standin.data.gids import gid
from tests.standin.graph.items import Node


def media(url: str) -> Node:
    """Build an image node for the media of a product or variant."""
    return {
        "__typename": "MediaImage",
        "id": gid("MediaImage", crc32(url.encode())),
        "alt": "",
        "image": image(url),
        "preview": {"image": image(url)},
    }


def image(url: str) -> Node:
    return {"url": url, "altText": None, "width": None, "height": None}
