"""The chat model of a deployment: the embedded planner, or one of LangChain's providers."""

import os
from importlib.util import find_spec
from typing import Any

from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel

from tools.definition import ToolDefinition
from tools.intent import EnvironmentName
from tools.models.embedded import EmbeddedPlanner
from tools.settings import PROVIDER_KEYS, Settings, SettingsError

RETRIES = 2
"""How often a provider's client asks again by itself."""

PACKAGES = {
    "anthropic": "langchain_anthropic",
    "google_genai": "langchain_google_genai",
    "ollama": "langchain_ollama",
    "openai": "langchain_openai",
}
"""Providers to the module that speaks to them; its package has the same name, with hyphens."""


def load_model(settings: Settings, known: tuple[ToolDefinition, ...] = ()) -> BaseChatModel:
    """The chat model that the settings name; no name: the embedded planner.

    A provider's package is imported here: not on an event loop.

    Args:
        settings: The settings.
        known: All tools of the agent, of which a user may be offered a part. The embedded planner
            calls one that is not offered where nothing else fits, so that the user is told why.

    Raises:
        SettingsError: the name is none, or a package or a key is missing; it says which.
    """
    name = settings.model_name
    if name is None:
        return EmbeddedPlanner(
            environments=tuple(
                EnvironmentName(env_id, environment.title, environment.stage)
                for env_id, environment in settings.environments.items()
            ),
            known=known,
        )
    provider, _, model = name.partition(":")
    if not provider or not model:
        raise SettingsError(f"The model {name!r} is not written as provider:model")
    _package(provider, name)
    options = _options(settings, provider)
    try:
        loaded: BaseChatModel = init_chat_model(model, model_provider=provider, **options)
    except ImportError as error:
        raise SettingsError(f"The model {name} needs a package: {error}") from error
    except ValueError as error:
        raise SettingsError(f"The model {name} cannot be used: {error}") from error
    return loaded


def _package(provider: str, name: str) -> None:
    """Say which package is missing, before anything is imported."""
    module = PACKAGES.get(provider)
    if module and find_spec(module) is None:
        package = module.replace("_", "-")
        raise SettingsError(f"The model {name} needs a package: pip install {package}")


def _options(settings: Settings, provider: str) -> dict[str, Any]:
    """What the provider's client is made with.

    Raises:
        SettingsError: a key is needed and the variable that should hold it is not set.
    """
    timeout = settings.model.timeout
    # Ollama's client knows neither name: it hands its `client_kwargs` to httpx.
    options: dict[str, Any] = (
        {"client_kwargs": {"timeout": timeout}}
        if provider == "ollama"
        else {"timeout": timeout, "max_retries": RETRIES}
    )
    if settings.model.base_url is not None:
        options["base_url"] = settings.model.base_url
    key = _key(settings, provider)
    return options if key is None else options | {"api_key": key}


def _key(settings: Settings, provider: str) -> str | None:
    """The key of the variable that the settings name; None: the client looks for its own.

    Raises:
        SettingsError: the variable is not set.
    """
    variable = settings.model.api_key_env
    if variable is not None:
        key = os.environ.get(variable)
        if not key:
            raise SettingsError(f"[model] api_key_env: the variable {variable} is not set")
        return key
    if provider in PROVIDER_KEYS and not os.environ.get(PROVIDER_KEYS[provider]):
        raise SettingsError(
            f"The model needs a key: set {PROVIDER_KEYS[provider]}, or name another variable in "
            "[model] api_key_env (a local server takes any value)"
        )
    return None
