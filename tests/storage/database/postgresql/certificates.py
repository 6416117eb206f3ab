"""A certificate authority for tests, and the certificates that it signs."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class Files:
    certificate: Path
    key: Path


class Authority:
    """A certificate authority. Clients that load the file `certificate` trust it."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.certificate = folder / f"{name}.crt"
        signed = self._signed(self._name, self._key, x509.BasicConstraints(ca=True, path_length=None))
        self.certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))

    def sign(self, name: str, address: str | None = None) -> Files:
        """Sign a certificate for a name and, if an `address` is given, for the server at that address. Returns the files of the
        certificate and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        extension: x509.ExtensionType = x509.BasicConstraints(ca=False, path_length=None)
        if address is not None:
            extension = x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))])
        files = Files(self._folder / f"{name}.crt", self._folder / f"{name}.key")
        signed = self._signed(subject, key, extension)
        files.certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
        files.key.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        files.key.chmod(0o600)
        return files

    def _signed(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, extension: x509.ExtensionType
    ) -> x509.Certificate:
        now = datetime.now(UTC)
        made = x509.CertificateBuilder().subject_name(subject).issuer_name(self._name).public_key(key.public_key())
        made = made.serial_number(x509.random_serial_number()).add_extension(extension, critical=False)
        made = made.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
        return made.sign(self._key, hashes.SHA256())
