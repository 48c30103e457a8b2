# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which HTTP clients and services can be measured, and whose code do their requests run through?"""

from typing import Annotated

from pydantic import BeforeValidator, Field

from jdkmatrix.config.yaml_model import StrictModel
from jdkmatrix.vocabulary import Layer

Scalar = bool | int | float | str


def _without_reason(number: object) -> object:
    if not isinstance(number, dict):
        return number
    if set(number) != {"value", "reason"} or not str(number["reason"]).strip():
        raise ValueError("accepted: a number, or {value: NUMBER, reason: TEXT}")
    return number["value"]


Number = Annotated[int, BeforeValidator(_without_reason), Field(ge=0)]
Share = Annotated[float, BeforeValidator(_without_reason), Field(gt=0, lt=1)]
Positive = Annotated[int, BeforeValidator(_without_reason), Field(ge=1)]


class MeasuredProgram(StrictModel):
    """What runs on the build under test.

    `class_` is its class; `sources` are the folders of `test/throughput` that hold it, `jars` the
    class path of `jtreg/jars.lock` that it needs, `program` one of `jdks.yaml` that it starts.
    """

    class_: str = Field(alias="class")
    sources: tuple[str, ...] = Field(min_length=1)
    since_train: Number = 8
    layer: Layer
    jars: str | None = None
    program: str | None = None


class Client(MeasuredProgram):
    """An HTTP client library under load; its class implements `LoadClient`.

    `system_properties` reach its JVM as -D. One that `drives` can only drive services: its class
    implements `Crew`.
    """

    drives: bool = False

    system_properties: dict[str, Scalar] = Field(default_factory=dict)


class Service(MeasuredProgram):
    """An HTTP server; its name is `<server>-<whose TLS>`, its class a `PeerProcess.Program`.

    Its `settings` and those of its host are passed to it as key=value.
    """

    settings: dict[str, Scalar] = Field(default_factory=dict)


def server_of(service: str) -> str:
    """The server in a service's name: `dropwizard-servlet` in `dropwizard-servlet-jsse`."""
    return service.rpartition("-")[0]
