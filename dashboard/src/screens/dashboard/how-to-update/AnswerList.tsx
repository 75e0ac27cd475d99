const ANSWERS: readonly (readonly [string, string])[] = [
  ['good', 'The address is stored, and DNS answers it a moment later.'],
  ['nochg', 'It was the address already.'],
  ['badauth', 'The password is not the update token of this domain.'],
  ['nohost', 'The host name is misspelt, or deleted.'],
  ['911', 'Not possible at the moment; the router tries again.'],
]

/** What a router's log may show. */
export function AnswerList() {
  return (
    <details className="answers">
      <summary>What the answers mean</summary>
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
