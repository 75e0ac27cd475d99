import { dayText } from '@homing/theme/formats'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Me, meQuery, updateProfile } from '../../../api/account.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { Field } from '@homing/theme/parts/Field.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { hashOf } from '../../../routes.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import { SettingsForm } from '../../frame/SettingsForm.tsx'

const NAMES = [
  ['given_name', 'First name', 'given-name'],
  ['surname', 'Last name', 'family-name'],
] as const

type Names = Readonly<Record<(typeof NAMES)[number][0], string>>

const namesOf = ({ given_name, surname }: Me): Names => ({
  given_name: given_name ?? '',
  surname: surname ?? '',
})

function ProfileForm({ me }: { readonly me: Me }) {
  const queries = useQueryClient()
  const saved = namesOf(me)
  const [typed, setTyped] = useState<Partial<Names>>({})
  const names = { ...saved, ...typed }
  const { mutate, isPending, error } = useWrite({
    mutationFn: updateProfile,
    onSuccess(changed) {
      queries.setQueryData(meQuery.queryKey, changed)
      setTyped({})
      notify({ kind: 'success', text: 'Your profile was updated.' })
    },
  })
  return (
    <SettingsForm
      submit={{ label: 'Update Profile', busyLabel: 'Saving...' }}
      isDirty={NAMES.some(([name]) => names[name].trim() !== saved[name])}
      isBusy={isPending}
      error={error}
      fields={NAMES.map(([name]) => name)}
      onSubmit={() =>
        mutate({ given_name: names.given_name.trim(), surname: names.surname.trim() })
      }
    >
      {NAMES.map(([name, label, autoComplete]) => (
        <Field
          key={name}
          label={label}
          name={name}
          autoComplete={autoComplete}
          value={names[name]}
          error={error instanceof ApiProblem ? error.of(name) : undefined}
          inputProps={{ maxLength: 100 }}
          onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
        />
      ))}
    </SettingsForm>
  )
}

/** Who the user is: the names that cannot be changed here, and those that can. */
export default function ProfileSection() {
  const query = useQuery(meQuery)
  return (
    <Loaded query={query}>
      {(me) => (
        <div className="card section-card">
          <dl className="section-facts">
            <div>
              <dt>Username</dt>
              <dd>{me.username}</dd>
              <dd className="field-help">The username cannot be changed.</dd>
            </div>
            <div>
              <dt>Email address</dt>
              <dd>{me.email}</dd>
              <dd>
                <a className="section-link" href={hashOf('settings', {}, 'email')}>
                  Change email address
                </a>
              </dd>
            </div>
            <div>
              <dt>Member since</dt>
              <dd>{dayText(me.created_at)}</dd>
            </div>
          </dl>
          <ProfileForm me={me} />
        </div>
      )}
    </Loaded>
  )
}
