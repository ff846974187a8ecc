//! Checks of every request, before it is processed. The server listens on the loopback interface only, but any page in
//! the user's browser can send requests to it, and can make its own host name resolve to it (DNS rebinding).

use hyper::HeaderMap;
use hyper::header::{HOST, HeaderValue, ORIGIN};

/// The header that carries the token.
pub const TOKEN_HEADER: &str = "x-esker-token";

/// Content security policy: pages may only run scripts of the server and send requests to it.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src 'self' blob:; media-src blob:; worker-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Headers of every response.
pub const RESPONSE_HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cache-control", "no-store"),
];

/// 128 random bits in hexadecimal digits.
pub fn new_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// True if a request may come from the viewer's page or from the user: host, origin and kind of the fetch.
pub fn is_local(headers: &HeaderMap) -> bool {
    let single = |name: &str| {
        let mut all = headers.get_all(name).iter();
        let first = all.next();
        if all.next().is_some() { Some(Err(())) } else { first.map(Ok) }
    };
    let text = |value: &HeaderValue| value.to_str().map(str::to_owned).map_err(drop);
    let host = match single(HOST.as_str()) {
        Some(Ok(host)) => text(host).is_ok_and(|host| is_loopback(&host)),
        _ => false,
    };
    let origin = match single(ORIGIN.as_str()) {
        None => true,
        Some(Ok(origin)) => {
            text(origin).is_ok_and(|origin| origin.strip_prefix("http://").is_some_and(is_loopback))
        }
        Some(Err(())) => false,
    };
    let site = match single("sec-fetch-site") {
        None => true,
        Some(Ok(site)) => site == "same-origin" || site == "none",
        Some(Err(())) => false,
    };
    host && origin && site
}

/// True if `host[:port]` is this machine. Any port is accepted, since tunnels use other ports.
fn is_loopback(host: &str) -> bool {
    let (name, port) = match host.strip_prefix("[::1]") {
        Some("") => return true,
        Some(rest) => ("[::1]", rest.strip_prefix(':')),
        None => match host.split_once(':') {
            None => (host, Some("0")),
            Some((name, port)) => (name, Some(port)),
        },
    };
    let is_port = |port: &str| {
        (1..=5).contains(&port.len()) && port.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_known = matches!(name, "127.0.0.1" | "[::1]") || name.eq_ignore_ascii_case("localhost");
    is_known && port.is_some_and(is_port)
}

/// True if a request carries the token, compared in constant time.
pub fn has_token(headers: &HeaderMap, token: &str) -> bool {
    let Some(given) = headers.get(TOKEN_HEADER) else { return false };
    let (given, token) = (given.as_bytes(), token.as_bytes());
    given.len() == token.len()
        && given.iter().zip(token).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    #[test]
    fn only_names_of_this_machine_pass_as_host() {
        for host in
            ["127.0.0.1", "127.0.0.1:8000", "localhost:1", "LOCALHOST:80", "[::1]", "[::1]:9"]
        {
            assert!(is_local(&headers(&[("host", host)])), "{host}");
        }
        let wrong = [
            "",
            "example.com",
            "127.0.0.1.example.com",
            "localhost.",
            "localhost.:80",
            "127.0.0.2",
            "0.0.0.0:80",
            "[::1",
            "[::1]x",
            "[::2]:80",
            "localhost:",
            "localhost:80:80",
            "localhost:8x",
            "127.0.0.1:123456",
            "user@localhost",
            "2130706433",
        ];
        for host in wrong {
            assert!(!is_local(&headers(&[("host", host)])), "{host}");
        }
        assert!(!is_local(&headers(&[])), "a request without a host");
        assert!(!is_local(&headers(&[("host", "localhost"), ("host", "localhost")])), "two hosts");
    }

    #[test]
    fn other_origins_and_sites_are_refused() {
        let with = |name, value| headers(&[("host", "localhost:7"), (name, value)]);
        assert!(is_local(&with("origin", "http://localhost:7")));
        for origin in
            ["null", "https://localhost", "http://example.com", "http://localhost.", "file://"]
        {
            assert!(!is_local(&with("origin", origin)), "{origin}");
        }
        assert!(is_local(&with("sec-fetch-site", "same-origin")));
        assert!(is_local(&with("sec-fetch-site", "none")));
        for site in ["cross-site", "same-site", ""] {
            assert!(!is_local(&with("sec-fetch-site", site)), "{site}");
        }
    }

    #[test]
    fn a_token_is_random_and_compared_as_a_whole() {
        let token = new_token().unwrap();
        assert_eq!(token.len(), 32);
        assert_ne!(token, new_token().unwrap());
        assert!(has_token(&headers(&[(TOKEN_HEADER, &token)]), &token));
        assert!(!has_token(&headers(&[]), &token));
        for wrong in ["", &token[1..], &format!("{token}0"), &"0".repeat(32)] {
            assert!(!has_token(&headers(&[(TOKEN_HEADER, wrong)]), &token), "{wrong}");
        }
    }
}
