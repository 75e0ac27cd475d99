/** A card with a form, which opens in a section above its list. */
import { type ReactNode, useId } from 'react'
import { Icon } from '@homing/theme/parts/Icon.tsx'

interface PanelProps {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
}

export function Panel({ title, children, onClose }: PanelProps) {
  const id = useId()
  return (
    <section className="card section-card panel-form" aria-labelledby={id}>
      <div className="panel-form-head">
        <h2 id={id}>{title}</h2>
        <button type="button" className="icon-button" aria-label="Cancel" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {children}
    </section>
  )
}
