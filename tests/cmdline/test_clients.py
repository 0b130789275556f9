"""How clients name the hosts that they talk to."""

from gate.cmdline.clients import CLIENTS, Client


def test_options_by_their_names_and_letters() -> None:
    curl: Client = CLIENTS["curl"]
    assert {"-o", "--output", "-x", "--proxy", "-K"} <= curl.valued
    assert not {"-O", "-s", "-L"} & curl.valued


def test_what_leads_elsewhere_takes_a_value() -> None:
    for client in CLIENTS.values():
        assert client.leads | client.routes <= client.valued
