/**
 * A field with its label, help text and error, linked for assistive technology. It is the browser's own element: one of a
 * component library costs several times as much with each key.
 */
import {
  type ChangeEventHandler,
  type ComponentProps,
  type ReactNode,
  type Ref,
  type RefCallback,
  useId,
} from 'react'

type Control = HTMLInputElement & HTMLTextAreaElement

interface FieldProps extends Omit<
  ComponentProps<'input'>,
  'id' | 'className' | 'onChange' | 'ref' | 'size'
> {
  readonly label: string
  readonly help?: ReactNode
  /** Whether the help text reports a success. */
  readonly isGood?: boolean
  readonly error?: ReactNode
  /** The id of the element that shows the error, if it is not part of the field. */
  readonly errorId?: string | undefined
  readonly isMonospace?: boolean
  readonly inputRef?: Ref<HTMLInputElement> | RefCallback<unknown>
  readonly inputProps?: Omit<ComponentProps<'input'>, 'id' | 'className' | 'ref'>
  /** A button in the field. */
  readonly endAdornment?: ReactNode
  /** Several lines, at first two. The field grows with its text in browsers that support `field-sizing`. */
  readonly multiline?: boolean
  readonly onChange?: ChangeEventHandler<HTMLInputElement>
}

export function Field(props: FieldProps) {
  const { label, help, error, errorId, isGood = false, isMonospace = false, ...others } = props
  const { inputRef, inputProps, endAdornment, multiline = false, ...rest } = others
  const id = useId()
  const textId = `${id}-text`
  const text = error ?? help
  const describedBy = [errorId, text === undefined ? undefined : textId].filter(Boolean).join(' ')
  const control = {
    ...rest,
    ...inputProps,
    id,
    ref: inputRef as Ref<Control>,
    'aria-invalid': error !== undefined || errorId !== undefined,
    'aria-describedby': describedBy === '' ? undefined : describedBy,
  } as ComponentProps<'input'> & ComponentProps<'textarea'>
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className={isMonospace ? 'field-box monospace' : 'field-box'}>
        {multiline ? <textarea {...control} rows={2} /> : <input type="text" {...control} />}
        {endAdornment}
      </div>
      {text !== undefined && (
        <p
          id={textId}
          className={error === undefined ? (isGood ? 'field-good' : 'field-help') : 'field-error'}
          role={error === undefined ? undefined : 'alert'}
        >
          {text}
        </p>
      )}
    </div>
  )
}
