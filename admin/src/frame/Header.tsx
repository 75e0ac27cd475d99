import { ColorSchemeSwitch } from '@homing/theme/parts/ColorSchemeSwitch.tsx'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/icons-material/Menu'
import { useGetIdentity, useLogout } from 'react-admin'
import { endSession } from '../access/session.ts'
import { Brand } from '../layout/Brand.tsx'

/** Another tab may have signed in as somebody else. */
const ASK_AGAIN = { refetchOnWindowFocus: 'always' } as const

interface HeaderProps {
  readonly isMenuOpen: boolean
  readonly onMenu: () => void
}

/** The header: brand, signed-in user, and sign-out. */
export function Header({ isMenuOpen, onMenu }: HeaderProps) {
  const { identity } = useGetIdentity(ASK_AGAIN)
  const leave = useLogout()
  async function logOut() {
    await endSession()
    // The next user starts on the start page, not on this user's page.
    await leave({}, undefined, false)
  }
  return (
    <header className="header">
      <IconButton
        className="header-menu"
        aria-label="Menu"
        aria-expanded={isMenuOpen}
        onClick={onMenu}
      >
        <Menu fontSize="small" />
      </IconButton>
      <Brand />
      <div className="header-end">
        <ColorSchemeSwitch />
        <span className="header-user" title={identity?.fullName}>
          {identity?.fullName}
        </span>
        <Button variant="outlined" color="inherit" onClick={() => void logOut()}>
          Logout
        </Button>
      </div>
    </header>
  )
}
