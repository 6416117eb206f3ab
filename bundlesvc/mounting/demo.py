"""Mounts the demo and its parts, in demo mode only: a production process does not even import them."""

from bundlesvc.mounting.service import Service


def mount_demo(service: Service) -> None:
    if not service.settings.demo:
        return
    from bundlesvc.demo.routes import DemoPorts, add_demo  # noqa: PLC0415

    adapters = service.adapters
    ports = DemoPorts(
        adapters.database, adapters.shops, adapters.platform, adapters.configured, service.discounts, adapters.clock
    )
    add_demo(service.app, service.demo_key, service.settings.base_path, ports)


def mount_demo_bundle_pages(service: Service) -> None:
    """Mount the page of each bundle, which needs both the demo capability and the first-paint capability."""
    if not service.settings.demo:
        return
    from bundlesvc.demo.bundle_pages import add_bundle_pages  # noqa: PLC0415

    add_bundle_pages(service.app)


def mount_demo_buying(service: Service) -> None:
    """Mount the checkout of the demo page, which needs both the demo capability and the orders capability."""
    if not service.settings.demo:
        return
    from bundlesvc.demo.buying.routes import add_buying  # noqa: PLC0415

    add_buying(service.app, service.gate, service.adapters.platform, service.adapters.clock, service.ids)
