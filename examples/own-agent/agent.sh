# An agent is anything that takes a prompt and prints an answer. This one reads the prompt on standard input.
prompt=$(cat)
case "$1/$prompt" in
  *"not accepted"*) echo '{ "verdict": "good" }' ;;
  kind/*) echo 'Well done!' ;;
  *) echo 'Hmpf.' ;;
esac
