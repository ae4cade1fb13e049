# Stands in for the agent that implements: it leaves a status behind, as agents of such a workflow do.
cat > /dev/null
mkdir -p artifacts/engineer
cat > artifacts/engineer/status_Implement.json <<STATUS
{
  "schema": "status/v1",
  "correlation_id": "greeting-1",
  "agent": "engineer",
  "run_id": "$LOCKSTEP_RUN",
  "step": "Implement",
  "timestamp": "$(date -u +%Y-%m-%dT%H:%M:%SZ)",
  "success": true,
  "exit_code": 0,
  "outputs": ["src/greet.sh"],
  "metrics": { "files_modified": 1, "lines_added": 2 },
  "next_actions": [{ "agent": "qa", "file": "inbox/qa/task_001.task" }],
  "message": "The greeting is there."
}
STATUS
echo implemented
