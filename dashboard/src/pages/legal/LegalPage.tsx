/** The frame of a legal document: title, date, contents, numbered sections. */
import { TERMS_VERSION } from '@homing/openapi/vocabulary'
import { dayText } from '@homing/theme/formats'
import { Fragment, type ReactNode } from 'react'

export interface LegalSection {
  /** The fragment of the section. */
  readonly id: string
  readonly title: string
  readonly body: ReactNode
}

interface LegalPageProps {
  readonly title: string
  readonly summary: ReactNode
  readonly sections: readonly LegalSection[]
}

export function LegalPage({ title, summary, sections }: LegalPageProps) {
  return (
    <article className="legal prose">
      <h1>{title}</h1>
      <p className="muted">
        Last changed on <time dateTime={TERMS_VERSION}>{dayText(TERMS_VERSION, 'UTC')}</time>
      </p>
      <div className="lead">{summary}</div>
      <nav aria-label="Contents" className="contents">
        <ol>
          {sections.map((section) => (
            <li key={section.id}>
              <a href={`#${section.id}`}>{section.title}</a>
            </li>
          ))}
        </ol>
      </nav>
      {sections.map((section, place) => (
        <Fragment key={section.id}>
          <h2 id={section.id}>
            {place + 1}. {section.title}
          </h2>
          {section.body}
        </Fragment>
      ))}
    </article>
  )
}
