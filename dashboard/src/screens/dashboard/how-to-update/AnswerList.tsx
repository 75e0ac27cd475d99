const ANSWERS: readonly (readonly [string, string])[] = [
  ['good', 'The address is stored. DNS answers with it a moment later.'],
  ['nochg', 'The address has not changed.'],
  ['badauth', 'The password is not the update token of this domain.'],
  ['nohost', 'The domain is misspelt or was deleted.'],
  ['911', 'The service is temporarily unavailable. The router tries again.'],
]

/** The responses that a router's log can show. */
export function AnswerList() {
  return (
    <details className="answers">
      <summary>What the responses mean</summary>
      <dl>
        {ANSWERS.map(([answer, meaning]) => (
          <div key={answer}>
            <dt className="monospace">{answer}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
