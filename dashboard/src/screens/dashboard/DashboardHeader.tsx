import { useMutation } from '@tanstack/react-query'
import { signOut } from '../../api/account.ts'
import { ColorSchemeSwitch } from '../../components/ColorSchemeSwitch.tsx'
import { Icon } from '../../components/Icon.tsx'
import { Logo } from '../../components/Logo.tsx'
import { notify } from '../../components/Notices.tsx'
import { ADMIN_PAGE } from '../../routes.ts'

function badgeOf(accountType: string): string {
  return accountType === 'admin' ? 'ADMIN' : `${accountType.toUpperCase()} PLAN`
}

/** @param props.accountType the current type from the service; the browser's copy can be out of date */
export function DashboardHeader({ accountType }: { readonly accountType: string }) {
  const { mutate, isPending } = useMutation({
    mutationFn: signOut,
    onError: (error) =>
      notify({ kind: 'failure', text: `You are still signed in. ${error.message}` }),
  })
  return (
    <header className="top">
      <div className="top-inner">
        <Logo />
        <span className={`plan-badge plan-${accountType}`}>{badgeOf(accountType)}</span>
        <span className="top-space" />
        {accountType === 'admin' && (
          <a className="top-link" href={ADMIN_PAGE}>
            Admin Panel
          </a>
        )}
        <ColorSchemeSwitch />
        <button
          type="button"
          className="top-button"
          aria-label="Logout"
          aria-disabled={isPending}
          onClick={() => isPending || mutate()}
        >
          <Icon name="logout" />
          <span className="top-button-text">Logout</span>
        </button>
      </div>
    </header>
  )
}
