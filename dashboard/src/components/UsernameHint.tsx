import { useId } from 'react'

/**
 * The user name of the account whose password a form asks for or sets. Password managers read it, to fill in and to
 * save the right password. Some ignore fields without a box, so it has one that nobody sees.
 */
export function UsernameHint({ username }: { readonly username: string | undefined }) {
  const id = useId()
  return (
    <input
      id={id}
      className="visually-hidden"
      type="text"
      name="username"
      autoComplete="username"
      value={username ?? ''}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  )
}
