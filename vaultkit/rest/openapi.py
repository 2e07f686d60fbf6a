from vaultkit.rest.dialect import Dialect
def document(dialect: Dialect) -> bytes:
    return b""
