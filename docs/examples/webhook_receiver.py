import base64, hashlib, hmac, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

def verify(headers, body):  # body: bytes, as they arrived
    sent = headers.get("webhook-timestamp")
    text = f'{headers.get("webhook-id")}.{sent}.'.encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, text, hashlib.sha256).digest())
    signatures = headers.get("webhook-signature", "").encode().split()
    return any(hmac.compare_digest(expected, it) for it in signatures) and abs(time.time() - int(sent)) < 300

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(204 if verify(self.headers, body) else 400)
        self.end_headers()

ThreadingHTTPServer(("", int(os.environ.get("PORT", 8080))), Receiver).serve_forever()
