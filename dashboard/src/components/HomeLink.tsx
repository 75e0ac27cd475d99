import { Logo } from '@homing/theme/parts/Logo.tsx'

/** The logo, which leads to the landing page. */
export function HomeLink({ name = 'Homing' }: { readonly name?: string }) {
  return (
    <a className="home-link" href="/?landing" aria-label={`${name}: home page`}>
      <Logo name={name} />
    </a>
  )
}
