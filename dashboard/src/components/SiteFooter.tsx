const LINKS = [
  ['/pricing', 'Pricing'],
  ['/terms', 'Terms of Service'],
  ['/privacy', 'Privacy Policy'],
] as const

/** The footer of every screen and page. Its links lead to pages that the service renders. */
export function SiteFooter({ name = 'Homing' }: { readonly name?: string }) {
  return (
    <footer className="site-footer">
      <nav aria-label="About the service">
        {LINKS.map(([href, label]) => (
          <a key={href} href={href}>
            {label}
          </a>
        ))}
      </nav>
      {/* The sign-in screen is written with the year of the build. */}
      <p suppressHydrationWarning>
        © {new Date().getFullYear()} {name}
      </p>
    </footer>
  )
}
