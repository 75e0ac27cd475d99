import { useQuery } from '@tanstack/react-query'
import { type Ability, type Me, meQuery } from '../../api/account.ts'
import { KEPT_CURRENT } from '../../api/kept-current.ts'
import { useSession } from '../../api/session.ts'
import { ColorSchemeSwitch } from '@homing/theme/parts/ColorSchemeSwitch.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { HomeLink } from '../../components/HomeLink.tsx'
import { Keys } from '../../components/Keys.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { showOverlay } from '../../keyboard/overlay.ts'
import { keysOf } from '../../keyboard/shortcuts.ts'
import { ADMIN_PAGE, hashOf, type ScreenName } from '../../routes.ts'
import { NoticeBanner } from './NoticeBanner.tsx'
import { SIGN_OUT } from './sign-out.ts'
import './frame.css'

function badgeOf(accountType: string): string {
  return accountType === 'admin' ? 'ADMIN' : `${accountType.toUpperCase()} PLAN`
}

const LINKS: readonly (readonly [ScreenName, string])[] = [
  ['dashboard', 'Dashboard'],
  ['webforward', 'Web Forwarding'],
  ['analytics', 'Analytics'],
  ['zones', 'Zones'],
  ['settings', 'Settings'],
]

/** The screens that not every plan includes. */
const ABILITIES: Readonly<Partial<Record<ScreenName, Ability>>> = {
  webforward: 'web_forward',
  analytics: 'analytics',
  zones: 'vanity_ns',
}

/** Whether the plan includes a screen. Until the plan is read, the type of the account says it. */
function isIncluded(screen: ScreenName, me: Me | undefined, accountType: string): boolean {
  const ability = ABILITIES[screen]
  if (ability === undefined) return true
  if (me !== undefined) return me.limits.abilities.includes(ability)
  return ability === 'vanity_ns'
    ? accountType === 'elite' || accountType === 'admin'
    : accountType !== 'free'
}

/** Looks like the search field that it opens; on phones, it is an icon. */
function PaletteButton() {
  return (
    <button
      type="button"
      className="top-search"
      aria-haspopup="dialog"
      onClick={() => showOverlay('palette')}
    >
      <Icon name="search" />
      <span className="top-search-text">Search or go to…</span>
      <Keys {...keysOf('palette')} />
    </button>
  )
}

/** The header of signed-in users, and the banner below it. @param props.screen the screen that is shown */
export function AppHeader({ screen }: { readonly screen: ScreenName }) {
  const { user } = useSession()
  // A plan begins and ends without a call of this page: a payment arrives, a subscription ends.
  const { data: me } = useQuery({ ...meQuery, ...KEPT_CURRENT })
  const { mutate, isPending } = useWrite(SIGN_OUT)
  if (user === undefined) return null
  // The browser's copy can be out of date.
  const accountType = me?.account_type ?? user.account_type
  const links = LINKS.filter(([name]) => isIncluded(name, me, accountType))
  return (
    <>
      <header className="top">
        <div className="top-inner">
          <HomeLink />
          <span className={`plan-badge plan-${accountType}`}>{badgeOf(accountType)}</span>
          <span className="top-space" />
          <PaletteButton />
          <span className="top-welcome">Welcome, {user.username}</span>
          <nav aria-label="Main" className="top-nav">
            {links.map(([name, label]) => (
              <a
                key={name}
                className="top-link"
                href={hashOf(name)}
                aria-current={name === screen ? 'page' : undefined}
              >
                {label}
              </a>
            ))}
            {accountType === 'admin' && (
              <a className="top-link" href={ADMIN_PAGE}>
                Admin Panel
              </a>
            )}
          </nav>
          <ColorSchemeSwitch />
          <button
            type="button"
            className="top-button"
            aria-label="Logout"
            aria-disabled={isPending}
            onClick={() => mutate()}
          >
            <Icon name="logout" />
            <span className="top-button-text">Logout</span>
          </button>
        </div>
      </header>
      <NoticeBanner />
    </>
  )
}
