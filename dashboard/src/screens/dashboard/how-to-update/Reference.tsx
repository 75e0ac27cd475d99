import { fillIn, UPDATE_ANSWERS, UPDATE_PATHS, type UpdateSettings } from '@homing/openapi/devices'
import { answerText } from './answer-text.ts'
import { CopyLine } from './CopyLine.tsx'
import { InlineCode } from './InlineCode.tsx'

/** The other URLs with the same meaning, and the answers that a device's log can show. */
export function Reference({ settings }: { readonly settings: UpdateSettings }) {
  const [, ...others] = UPDATE_PATHS
  return (
    <>
      <details className="reference">
        <summary>Alternative update paths</summary>
        <p className="muted">
          They all work in the same way as <code className="monospace">{UPDATE_PATHS[0]}</code>.
        </p>
        <ul className="paths">
          {others.map((path) => (
            <li key={path}>
              <code className="monospace">{path}</code>
            </li>
          ))}
        </ul>
        <p className="muted">For devices without fields for username and password:</p>
        <dl>
          <CopyLine label="URL" text={fillIn('https://SERVICE/u/TOKEN', settings)} />
        </dl>
      </details>
      <details className="reference">
        <summary>Response codes</summary>
        <table className="answers">
          <thead>
            <tr>
              <th scope="col">Code</th>
              <th scope="col">HTTP</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {UPDATE_ANSWERS.map((answer) => (
              <tr key={`${answer.codes.join()} ${answer.status}`}>
                <th scope="row" className="monospace">
                  {answer.codes.join(', ')}
                </th>
                <td>{answer.status}</td>
                <td>
                  <InlineCode text={answerText(answer)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}
