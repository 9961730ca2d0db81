"""The version of this product: the package, the OpenAPI document and the user agent all read it here."""

VERSION = "0.1.0"
