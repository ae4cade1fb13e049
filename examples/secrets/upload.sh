# A careless program: it prints the token it was given, plain, in base64 and in an address.
echo "uploading with $UPLOAD_TOKEN"
echo "Authorization: Basic $(printf 'me:%s' "$UPLOAD_TOKEN" | base64)"
echo "https://example.org/?token=$UPLOAD_TOKEN" >&2
