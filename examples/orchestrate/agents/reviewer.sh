# Stands in for the agent that reviews: it reads its prompt on standard input, looks for TODO in the files that were put
# into it, and gives a verdict. Where the task names a verdict_file the verdict goes there, else to standard output.
prompt=$(cat)
field() { printf '%s\n' "$prompt" | sed -n "s/^$1: *//p" | head -n 1; }
task=$(field task_id)
file=$(field verdict_file)

if printf '%s\n' "$prompt" | grep -q 'TODO'; then
  verdict='"approved": false, "reason": "There is unfinished work.", "issues": ["src/greet.sh still has a TODO"]'
else
  verdict='"approved": true, "reason": "It does what it says.", "issues": []'
fi
verdict="{ $verdict, \"outputs\": [\"artifacts/qa/logs/$task.md\"], \"task_id\": \"$task\" }"

mkdir -p artifacts/qa/logs
echo "Looked at src/greet.sh for $task." > "artifacts/qa/logs/$task.md"
if [ -z "$file" ]; then
  echo "$verdict"
else
  # Whoever waits for it never sees half of it.
  mkdir -p "$(dirname "$file")"
  echo "$verdict" > "$file.tmp" && mv "$file.tmp" "$file"
  echo "The verdict is in $file."
fi
