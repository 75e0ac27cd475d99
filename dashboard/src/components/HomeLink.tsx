import { Logo } from './Logo.tsx'

/** The logo, which leads to the landing page. */
export function HomeLink() {
  return (
    <a className="home-link" href="/?landing" aria-label="Homing: home page">
      <Logo />
    </a>
  )
}
