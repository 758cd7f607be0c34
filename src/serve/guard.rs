// SPDX-License-Identifier: GPL-3.0-or-later
//! Which requests are let in: those of this server's own page.
//!
//! Any web page that is open in the same browser can send requests to this machine. Three headers tell them apart. `Origin`
//! names the page that sends the request; some requests have none. `Sec-Fetch-Site` says whether that page is of this server.
//! `Host` names the server as the browser knows it: if another site's name leads here (DNS rebinding), it is that name.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

use super::refusal::Refusal;

/// Knows the names of this server.
#[derive(Clone, Debug)]
pub struct Guard {
    bound: SocketAddr,
    /// Names that the command line allows, in lower case.
    names: Vec<String>,
}

impl Guard {
    /// A guard for a server at this address, which also has these names.
    pub fn new(bound: SocketAddr, names: &[String]) -> Self {
        Self { bound, names: names.iter().map(|name| name.to_lowercase()).collect() }
    }

    /// Lets a request in, or refuses it.
    ///
    /// # Errors
    /// If `Host` is missing or no name of this server, or the request is of another site.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let mut hosts = headers.get_all(HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.to_str().unwrap_or_default(),
            _ => "",
        };
        if !self.is_own(host) {
            return Err(Refusal::Foreign(format!(
                "this server is not {host:?}: open http://{}, or allow the name with --allow-host",
                self.bound
            )));
        }
        for origin in headers.get_all(ORIGIN) {
            let origin = origin.to_str().unwrap_or_default();
            // Pages of this server have its name, as the request has.
            if !origin.strip_prefix("http://").is_some_and(|origin| origin.eq_ignore_ascii_case(host)) {
                return Err(Refusal::Foreign(format!("requests from {origin:?} are refused")));
            }
        }
        let said = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        // A person may follow a link to the page. The other site learns nothing of it, and cannot show it in a frame.
        let is_link = (said("sec-fetch-mode"), said("sec-fetch-dest")) == (Some("navigate"), Some("document"));
        match said("sec-fetch-site") {
            // `none` is a person who has typed the address. Old browsers and programs say nothing.
            None | Some("same-origin" | "none") => Ok(()),
            Some(_) if is_link => Ok(()),
            Some(site) => Err(Refusal::Foreign(format!("requests of other sites are refused ({site:?})"))),
        }
    }

    /// Whether a text `host:port` names this server. The port may be missing if it is 80. A name that is allowed with its
    /// port may have another port than this server: that of a tunnel or a proxy.
    fn is_own(&self, text: &str) -> bool {
        if text.contains(':') && self.names.contains(&text.to_lowercase()) {
            return true;
        }
        let (host, port) = match text.rsplit_once(':') {
            // The colons of an IPv6 address are in brackets.
            Some((host, port)) if !port.contains(']') => (host, port.parse().ok()),
            _ => (text, Some(80)),
        };
        if port != Some(self.bound.port()) {
            return false;
        }
        let host = host.to_lowercase();
        if host == "localhost" || self.names.contains(&host) {
            return true;
        }
        // A site cannot give its pages an address as a name, so addresses are safe.
        let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(&host);
        address.parse().is_ok_and(|address: IpAddr| address.is_loopback() || !self.bound.ip().is_loopback())
    }
}

/// Checks that a browser could know this server by this name: `board.example`, `localhost:9000`.
///
/// # Errors
/// Says what is wrong, and what to write instead.
pub fn check_name(name: &str) -> Result<(), String> {
    let refused = |what: &str| Err(format!("{what}; write a name as in \"board.example\" or \"localhost:9000\""));
    if let Some((scheme, _)) = name.split_once("://") {
        return refused(&format!("a name is without \"{scheme}://\""));
    }
    let (host, port) = match name.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (name, None),
    };
    if port.is_some_and(|port| port.starts_with(['0', '+']) || port.parse::<u16>().is_err()) {
        return refused("a port is a number from 1 to 65535");
    }
    let is_address = |host: &str| host.parse::<Ipv6Addr>().is_ok();
    let is_name = !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
    if is_name || host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).is_some_and(is_address) {
        return Ok(());
    }
    match host.chars().find(|symbol| !symbol.is_ascii()) {
        Some(symbol) => refused(&format!("browsers send names in ASCII (\"xn--…\"), without {symbol:?}")),
        None => refused("this is not a name of a server"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bound: &str, names: &[&str], headers: &[(&'static str, &str)]) -> Result<(), Refusal> {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        Guard::new(bound.parse().unwrap(), &names).check(&map)
    }

    #[test]
    fn the_server_answers_to_its_own_names_only() {
        let local = "127.0.0.1:8080";
        for host in ["127.0.0.1:8080", "localhost:8080", "LocalHost:8080", "[::1]:8080", "127.0.0.2:8080"] {
            assert_eq!(check(local, &[], &[("host", host)]), Ok(()), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "evil.example:8080",
            "localhost.evil.example:8080",
            "evil.example#localhost:8080",
            "localhost",
            "localhost:80",
            "localhost:",
            "localhost:8080:8080",
            "127.0.0.1:08080x",
            "192.168.0.7:8080",
            "[::1]",
            "::1",
            "ü:8080",
        ] {
            assert!(matches!(check(local, &[], &[("host", host)]), Err(Refusal::Foreign(_))), "{host}");
        }
        assert!(check(local, &[], &[]).is_err(), "without a host");
        assert!(check(local, &[], &[("host", local), ("host", "evil.example")]).is_err(), "with two hosts");
    }

    #[test]
    fn on_other_addresses_it_has_these_and_the_names_it_was_given() {
        let open = "0.0.0.0:80";
        for host in ["192.168.0.7", "192.168.0.7:80", "[fe80::1]", "localhost", "board.example"] {
            assert_eq!(check(open, &["Board.example"], &[("host", host)]), Ok(()), "{host}");
        }
        assert!(check(open, &["board.example"], &[("host", "evil.example")]).is_err());
        let tunnel = &["localhost:9000"];
        assert_eq!(check("127.0.0.1:8080", tunnel, &[("host", "localhost:9000")]), Ok(()));
        assert!(check("127.0.0.1:8080", tunnel, &[("host", "localhost:9001")]).is_err());
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let local = "127.0.0.1:8080";
        for host in [local, "localhost:8080"] {
            let origin = format!("http://{host}");
            assert_eq!(check(local, &[], &[("host", host), ("origin", &origin)]), Ok(()), "{origin}");
        }
        let open = "0.0.0.0:8080";
        let elsewhere = [("host", "192.168.0.7:8080"), ("origin", "http://203.0.113.9:8080")];
        assert!(check(open, &[], &elsewhere).is_err(), "an address is not this server's because it is an address");
        for origin in ["null", "http://evil.example", "https://127.0.0.1:8080", "http://localhost:9999", "file://", ""]
        {
            assert!(check(local, &[], &[("host", local), ("origin", origin)]).is_err(), "{origin}");
        }
    }

    #[test]
    fn what_other_sites_load_is_refused_and_their_links_are_not() {
        let local = "127.0.0.1:8080";
        let fetch = |site: &str, mode: &str, dest: &str| {
            let headers =
                [("host", local), ("sec-fetch-site", site), ("sec-fetch-mode", mode), ("sec-fetch-dest", dest)];
            check(local, &[], &headers)
        };
        for site in ["same-origin", "none"] {
            assert_eq!(fetch(site, "cors", "empty"), Ok(()), "{site}");
        }
        // Another port of this machine is the same site, and another server.
        for site in ["cross-site", "same-site", "x", ""] {
            assert!(check(local, &[], &[("host", local), ("sec-fetch-site", site)]).is_err(), "{site}");
            for (mode, dest) in [("no-cors", "script"), ("no-cors", "image"), ("cors", "empty"), ("navigate", "iframe")]
            {
                assert!(fetch(site, mode, dest).is_err(), "{site} {mode} {dest}");
            }
            assert_eq!(fetch(site, "navigate", "document"), Ok(()), "{site}");
        }
    }

    #[test]
    fn names_that_no_browser_sends_are_refused() {
        for name in ["board.example", "Board.example", "localhost:9000", "[::1]:80", "[fe80::1]", "a_b", "10.0.0.1:1"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        for name in [
            "http://x",
            "https://x:80",
            "",
            ":",
            "x:",
            "x:0",
            "x:65536",
            "x:+1",
            "x/",
            "x y",
            "*.example",
            "u@x",
            "ü",
            "[x]:1",
            "::1",
            "x:1:2",
            "x\n",
        ] {
            assert!(check_name(name).is_err_and(|error| error.contains("board.example")), "{name:?}");
        }
    }
}
