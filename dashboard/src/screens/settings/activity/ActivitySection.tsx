import { useQuery } from '@tanstack/react-query'
import { type LoginAttempt, loginsQuery } from '../../../api/sessions.ts'
import { Select } from '@homing/theme/parts/Select.tsx'
import { go, hashOf } from '../../../routes.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import { saveFile } from '../../../components/save-file.ts'
import type { SectionProps } from '../section.ts'
import { ActivityTable } from './ActivityTable.tsx'
import { attemptsCsv } from './attempts-csv.ts'
import './activity.css'

const CHOICES = [
  ['all', 'All'],
  ['success', 'Success'],
  ['failed', 'Failed'],
] as const

type Choice = (typeof CHOICES)[number][0]

function choiceIn(query: string): Choice {
  const wanted = new URLSearchParams(query).get('status')
  return CHOICES.find(([choice]) => choice === wanted)?.[0] ?? 'all'
}

function show(status: Choice): void {
  const parameters: Record<string, string> = status === 'all' ? {} : { status }
  go(hashOf('settings', parameters, 'activity'), { replace: true })
}

interface ActivityProps {
  readonly attempts: readonly LoginAttempt[]
  readonly choice: Choice
}

function Activity({ attempts, choice }: ActivityProps) {
  const shown =
    choice === 'all'
      ? attempts
      : attempts.filter(({ success }) => success === (choice === 'success'))
  return (
    <div className="card activity-card">
      <div className="activity-head">
        <Select label="Status" value={choice} choices={CHOICES} onChange={show} />
        {shown.length > 0 && (
          <button
            type="button"
            className="line-button"
            onClick={() =>
              saveFile(new Blob([attemptsCsv(shown)], { type: 'text/csv' }), 'sign-ins.csv')
            }
          >
            Download CSV
          </button>
        )}
      </div>
      {shown.length === 0 ? (
        <p className="activity-empty">
          {choice === 'failed' ? 'There were no failed attempts.' : 'There were no sign-ins.'}
        </p>
      ) : (
        <ActivityTable attempts={shown} />
      )}
    </div>
  )
}

/** Who signed in to the account, or tried to. Its filter is part of the URL. */
export default function ActivitySection({ query: parameters }: SectionProps) {
  const query = useQuery(loginsQuery)
  return (
    <>
      <p>
        The latest attempts of the last 90 days, at most 100. If you do not recognise a sign-in,{' '}
        <a href={hashOf('settings', {}, 'password')}>change your password</a>. This ends{' '}
        <a href={hashOf('settings', {}, 'sessions')}>all other sessions</a>.
      </p>
      <Loaded query={query}>
        {(attempts) => <Activity attempts={attempts} choice={choiceIn(parameters)} />}
      </Loaded>
    </>
  )
}
