import { type Domain, DOMAIN_TEXT_LIMITS } from '../../../api/domains.ts'
import { OwnerTextField } from './OwnerTextField.tsx'
import { tagsIn } from './tags.ts'
import type { OwnerText } from './use-owner-text.ts'

const NOTE: OwnerText = {
  what: 'note',
  of: ({ note }) => note ?? '',
  change: (text) => ({ note: text.trim() === '' ? null : text.trim() }),
}

const TAGS: OwnerText = {
  what: 'list of tags',
  of: ({ tags }) => tags.join(', '),
  change: (text) => ({ tags: [...tagsIn(text)] }),
}

function Tags({ tags }: Pick<Domain, 'tags'>) {
  if (tags.length === 0) return <p className="muted">None</p>
  return (
    <ul className="domain-tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag} className="badge" dir="auto">
          {tag}
        </li>
      ))}
    </ul>
  )
}

/** What the owner writes about the domain. Only they see it. */
export function NotesCard({ domain }: { readonly domain: Domain }) {
  const { note, tags } = domain
  const { note: noteLimit, tag: tagLimit, tags: tagsLimit } = DOMAIN_TEXT_LIMITS
  return (
    <section className="card section-card" aria-labelledby="notes-title">
      <h2 id="notes-title">Note and Tags</h2>
      <OwnerTextField
        domain={domain}
        text={NOTE}
        field="note"
        label="Note"
        help={`At most ${noteLimit} characters. Leave it empty to remove the note.`}
        maxLength={noteLimit}
        isMultiline
      >
        {note === null ? (
          <p className="muted">None</p>
        ) : (
          <p className="domain-note" dir="auto">
            {note}
          </p>
        )}
      </OwnerTextField>
      <OwnerTextField
        domain={domain}
        text={TAGS}
        field="tags"
        label="Tags"
        help={`At most ${tagsLimit} tags of ${tagLimit} characters, separated by commas.`}
      >
        <Tags tags={tags} />
      </OwnerTextField>
    </section>
  )
}
