import { Field } from '@homing/theme/parts/Field.tsx'
import { FORWARD_TEXT_LIMITS, type ForwardDraft } from './forward-draft.ts'
import { PagePreview } from './PagePreview.tsx'

type Text = 'title' | 'description' | 'keywords'

const FIELDS: readonly (readonly [Text, string, string | undefined])[] = [
  ['title', 'Title (optional)', 'Shown in the browser’s tab. Without one, the domain is shown.'],
  ['description', 'Description (optional)', undefined],
  ['keywords', 'Keywords (optional)', 'Separate them by commas.'],
]

interface StealthFieldsProps {
  readonly draft: ForwardDraft
  readonly fqdn: string | undefined
  readonly errorOf: (field: string) => string | undefined
  readonly onChange: (part: Partial<ForwardDraft>) => void
}

/** The texts of the page that shows the target in a frame. */
export function StealthFields({ draft, fqdn, errorOf, onChange }: StealthFieldsProps) {
  return (
    <>
      {FIELDS.map(([name, label, help]) => (
        <Field
          key={name}
          label={label}
          name={name}
          value={draft[name]}
          help={help}
          error={errorOf(name)}
          autoComplete="off"
          inputProps={{ maxLength: FORWARD_TEXT_LIMITS[name] }}
          onChange={({ target }) => onChange({ [name]: target.value })}
        />
      ))}
      <PagePreview
        fqdn={fqdn ?? 'your domain'}
        title={draft.title}
        description={draft.description}
      />
    </>
  )
}
