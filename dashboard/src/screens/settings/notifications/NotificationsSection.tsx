import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type NotificationSettings,
  notificationsQuery,
  updateNotifications,
} from '../../../api/notifications.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { CheckField } from '@homing/theme/parts/CheckField.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import { SettingsForm } from '../../frame/SettingsForm.tsx'

/** The suggestion when the user turns the mail about silent domains on, in days. */
const SUGGESTED_DAYS = 7
const DAYS_LIMIT = 90

interface Typed {
  readonly addressChanged: boolean
  readonly isSilenceWatched: boolean
  readonly days: string
  readonly keyExpiring: boolean
}

const typedOf = (saved: NotificationSettings): Typed => ({
  addressChanged: saved.address_changed,
  isSilenceWatched: saved.not_updated_days !== null,
  days: String(saved.not_updated_days ?? SUGGESTED_DAYS),
  keyExpiring: saved.key_expiring,
})

const settingsOf = (typed: Typed): NotificationSettings => ({
  address_changed: typed.addressChanged,
  not_updated_days: typed.isSilenceWatched ? Number(typed.days) : null,
  key_expiring: typed.keyExpiring,
})

/** What is wrong with the number of days; undefined if it is valid. */
function daysFault({ isSilenceWatched, days }: Typed): string | undefined {
  const isValid = /^\d+$/.test(days) && Number(days) >= 1 && Number(days) <= DAYS_LIMIT
  return isSilenceWatched && !isValid ? `Enter a number from 1 to ${DAYS_LIMIT}.` : undefined
}

function NotificationsForm({ saved }: { readonly saved: NotificationSettings }) {
  const queries = useQueryClient()
  const [changes, setChanges] = useState<Partial<Typed>>({})
  const typed = { ...typedOf(saved), ...changes }
  const change = (next: Partial<Typed>) => setChanges({ ...changes, ...next })
  const { mutate, isPending, error } = useWrite({
    mutationFn: updateNotifications,
    onSuccess(changed) {
      queries.setQueryData(notificationsQuery.queryKey, changed)
      setChanges({})
      notify({ kind: 'success', text: 'Your notifications were saved.' })
    },
  })
  const fault = daysFault(typed)
  const refused = error instanceof ApiProblem ? error.of('not_updated_days') : undefined
  const isChanged = JSON.stringify(typed) !== JSON.stringify(typedOf(saved))
  return (
    <SettingsForm
      submit={{ label: 'Save Notifications', busyLabel: 'Saving...' }}
      isDirty={isChanged}
      blockedBy={fault}
      isBusy={isPending}
      error={error}
      fields={['not_updated_days']}
      onSubmit={() => mutate(settingsOf(typed))}
    >
      <CheckField
        name="address_changed"
        isChecked={typed.addressChanged}
        onChange={(addressChanged) => change({ addressChanged })}
      >
        The address of a domain changed
      </CheckField>
      <CheckField
        name="not_updated"
        isChecked={typed.isSilenceWatched}
        onChange={(isSilenceWatched) => change({ isSilenceWatched })}
      >
        A domain got no update for several days
      </CheckField>
      {typed.isSilenceWatched && (
        <Field
          label="Days without an update"
          name="not_updated_days"
          autoComplete="off"
          value={typed.days}
          error={fault ?? refused}
          inputProps={{ inputMode: 'numeric' }}
          onChange={(event) => change({ days: event.target.value.trim() })}
        />
      )}
      <CheckField
        name="key_expiring"
        isChecked={typed.keyExpiring}
        onChange={(keyExpiring) => change({ keyExpiring })}
      >
        An API key expires soon
      </CheckField>
    </SettingsForm>
  )
}

/** The mails that the user can choose. Mails about the security of the account are always sent. */
export default function NotificationsSection() {
  const query = useQuery(notificationsQuery)
  return (
    <Loaded query={query}>
      {(saved) => (
        <div className="card section-card">
          <p>
            Homing sends you mail when one of these happens. Mails about the security of your
            account are always sent.
          </p>
          <NotificationsForm saved={saved} />
        </div>
      )}
    </Loaded>
  )
}
