/** The frame of every page: header, navigation, and the page itself. */
import Drawer from '@mui/material/Drawer'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { Header } from './Header.tsx'
import { Navigation } from './Navigation.tsx'
import { Waiting } from '../layout/Waiting.tsx'

/** Navigation to a page closes the drawer on phones. */
function useDrawer() {
  const [isOpen, setOpen] = useState(false)
  const { pathname } = useLocation()
  useEffect(() => setOpen(false), [pathname])
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false) }
}

export function Layout({ children }: { children?: ReactNode }) {
  const drawer = useDrawer()
  return (
    <div className="frame">
      <a href="#content" className="skip-link">
        Skip to content
      </a>
      <Header isMenuOpen={drawer.isOpen} onMenu={drawer.open} />
      <div className="frame-body">
        <aside className="side">
          <Navigation />
        </aside>
        <Drawer
          open={drawer.isOpen}
          onClose={drawer.close}
          slotProps={{ paper: { className: 'drawer', 'aria-label': 'Menu' } }}
        >
          <Navigation />
        </Drawer>
        <main id="content" className="content" tabIndex={-1}>
          <Suspense fallback={<Waiting />}>{children}</Suspense>
        </main>
      </div>
    </div>
  )
}
