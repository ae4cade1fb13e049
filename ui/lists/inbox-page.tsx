// inbox-page: what waits for a person, in every run. What waits longest comes first.

import { QuestionCard } from '../question.tsx';
import { isListed, waiting } from '../runs.ts';

export function InboxPage() {
  const questions = waiting.value;
  if (!isListed.value) return <p class="empty">Reading the runs…</p>;
  return (
    <main class="inbox">
      <h1>Inbox</h1>
      {questions.length === 0 && <p class="empty">Nothing waits for a person.</p>}
      {questions.map((one) => (
        <QuestionCard key={`${one.run} ${one.question.path} ${one.asked}`} waiting={one} />
      ))}
    </main>
  );
}
