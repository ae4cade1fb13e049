# TODO: say more than hello
echo hello
