"""Secrets are taken out of text; what only looks like one stays."""

from __future__ import annotations

import time

import pytest

from vaultkit.text.secrets import REDACTED, redact

# Made up for these tests, in the forms that the services document.
SECRETS = {
    "anthropic": "sk-ant-api03-Zm9vYmFyYmF6cXV4-Q0N0ZXN0a2V5MTIz_AAAA",
    "openai": "sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6",
    "old openai": "sk-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6",
    "github": "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    "github fine": "github_pat_11ABCDEFG0abcdefghijkl_MNOPQRSTUVWXYZ0123456789",
    "gitlab": "glpat-a1B2c3D4e5F6g7H8i9J0",
    "aws": "AKIAZ2X4C6V8B0N1M3L5",
    "slack": "xoxb-123456789012-123456789012-a1B2c3D4e5F6g7H8",
    "slack hook": "https://hooks.slack.com/services/T00000000/B00000000/a1B2c3D4e5F6g7H8i9J0k1L2",
    "google": "AIzaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q",
    "stripe": "sk_live_a1B2c3D4e5F6g7H8i9J0k1L2",
    "hugging face": "hf_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6",
    "npm": "npm_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    "sendgrid": "SG.a1B2c3D4e5F6g7H8i9J0k1.a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V",
}


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
@pytest.mark.parametrize("around", ["{}", "my key is {}, use it", "鍵は{}です", "x={}\n", '{{"k": "{}"}}', "`{}`", "curl -H 'X-Key: {}'"])
def test_a_secret_of_a_known_form_is_taken_out_wherever_it_stands(secret: str, around: str) -> None:
    cleaned = redact(around.format(secret))
    assert secret not in cleaned
    assert REDACTED in cleaned


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("DATABASE_URL=postgres://app:hunter2hunter@db.local/x", "hunter2hunter"),
        ("https://me:p%40ss-w0rd@example.org/repo.git", "p%40ss-w0rd"),
        ("Authorization: Bearer a1b2c3d4e5f6a7b8c9d0", "a1b2c3d4e5f6a7b8c9d0"),
        ("API_KEY=abcd1234efgh", "abcd1234efgh"),
        ("export STRIPE_SECRET='whatever-99'", "whatever-99"),
        ("DB_PASSWORD=correcthorse", "correcthorse"),
        ('{"client_secret": "Zx9-Yw8-Vu7"}', "Zx9-Yw8-Vu7"),
        ("password: hunter2", "hunter2"),
        ("パスワードは「tanuki77」です", "tanuki77"),
        ("aws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY", "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nAAAA\n-----END RSA PRIVATE KEY-----\nafter", "MIIEow"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r", "b3BlbnNzaC1r"),
        ("-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOYBF\n-----END PGP PRIVATE KEY BLOCK-----", "lQOYBF"),
    ],
)
def test_a_secret_that_a_name_or_an_address_gives_away_is_taken_out(text: str, gone: str) -> None:
    assert gone not in redact(text)


def test_what_stands_around_a_secret_stays() -> None:
    text = "before\n-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\nafter API_KEY=abcd1234efgh done"
    assert redact(text) == f"before\n{REDACTED}\nafter API_KEY={REDACTED} done"
    assert redact("git clone https://me:s3cr3t@example.org/a.git") == f"git clone https://me:{REDACTED}@example.org/a.git"


@pytest.mark.parametrize(
    "text",
    [
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "session 0190aaaa-bbbb-4ccc-8ddd-eeeeffff0000",
        "![x](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk)",
        "The token is the smallest unit of a search index.",
        "token: the smallest unit",
        "We talked about the password policy: at least twelve characters.",
        "Password: required",
        "API_KEY=$API_KEY and password: <your password>",
        "password=os.environ['DB_PASSWORD']",
        "sk-learn-pipelines-are-wonderful-things",
        "the skip-list and the risk-adjusted-return-of-the-task",
        "see https://example.org:8080/path@v2 and mail me@example.org",
        "meet at 10:30 with team@example.org",
        "パスワードは必ず変更してください",
        "secret: none",
        "Basic understanding of the architecture",
        "key: value\nname: Priya\nauthor: someone",
        "npm run build-the-whole-thing-again-please",
        "inbox/2026-05-02-cache-invalidation-on-deploy-of-the-shop.md",
    ],
)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize("part", ["a_", "sk-", "password:", "eyJ", "-----BEGIN PRIVATE KEY-----", "https://a:", "x-", "Bearer ", "ab_cd-"])
def test_a_hostile_text_takes_time_in_proportion_to_its_length(part: str) -> None:
    def seconds(count: int) -> float:
        began = time.process_time()
        redact(part * count)
        return time.process_time() - began

    seconds(100)
    assert seconds(16_000) < 40 * max(seconds(2_000), 0.005)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("パスワード＝hunter2x", "hunter2x"),
        ("パスワードを Hunter2!x に変更", "Hunter2!x"),
        ("新しいパスワードがHunter2xです", "Hunter2x"),
        ("ユーザー名taro、パスワードhunter2x", "hunter2x"),
        ("ＡＰＩキー：abcd1234efgh", "abcd1234efgh"),
        ("アクセスキー: AbCd1234EfGh", "AbCd1234EfGh"),
        ("シークレットキーは AbCd1234EfGh", "AbCd1234EfGh"),
        ("パスフレーズ：correct-horse-1", "correct-horse-1"),
        ("export DB_PASSWORD='my secret 1 x'", "my secret 1 x"),
        ('DB_PASSWORD="correct horse battery staple"', "battery"),
        ("postgres://user:p@ss1@host/db", "ss1"),
        ('curl -d "{\\"password\\":\\"hunter2x\\"}"', "hunter2x"),
        ("curl -u taro:hunter2x https://x", "hunter2x"),
        ("login --token abc123def", "abc123def"),
        ('dbPassword: "hunter2x"', "hunter2x"),
        ("PW: hunter2x", "hunter2x"),
    ],
)
def test_secrets_as_people_write_them_down(text: str, secret: str) -> None:
    assert secret not in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "パスワードは8文字以上",
        "パスワードを忘れた",
        "パスワードは1週間で変わる",
        "トークンは3つある",
        "トークンを100個使う",
        "docker run -u 1000:1000 image",
        '"token": "the smallest unit"',
        "https://a:8080/x?y=a@b",
        "login --token the smallest",
    ],
)
def test_what_only_talks_of_secrets_stays(text: str) -> None:
    assert redact(text) == text
