export function NotFoundPage() {
  return (
    <section className="notice-page">
      <p className="notice-code">404</p>
      <h1>Page not found</h1>
      <p>This page does not exist. Check the address, or continue here:</p>
      <ul className="link-list">
        <li>
          <a href="/?landing">Home page</a>
        </li>
        <li>
          <a href="/#dashboard">Dashboard</a>
        </li>
        <li>
          <a href="/pricing">Pricing</a>
        </li>
        <li>
          <a href="/api/docs">API documentation</a>
        </li>
      </ul>
    </section>
  )
}
