import { counted } from '@homing/theme/formats'

interface NewItemsProps {
  readonly waiting: number
  /** What waits: `change`. */
  readonly what: string
  readonly onShow: () => void
}

/** Shows the newer items of a list that was held in place. It is in the heading, where it moves nothing. */
export function NewItems({ waiting, what, onShow }: NewItemsProps) {
  return (
    <span role="status">
      {waiting > 0 && (
        <button type="button" className="text-button" onClick={onShow}>
          Show {counted(waiting, `new ${what}`)}
        </button>
      )}
    </span>
  )
}
