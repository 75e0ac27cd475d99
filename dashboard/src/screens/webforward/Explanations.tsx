/** What the two types do, and what forwards are used for. */
const TYPES = [
  {
    title: 'Redirect',
    text: 'The visitor’s browser goes to the target, whose URL appears in the address bar. Search engines find the target. Unlimited.',
  },
  {
    title: 'Stealth',
    text: 'The page shows the target in a frame, and your domain stays in the address bar. Each one uses a stealth flag of your plan. If the target cannot be shown in a frame, visitors are redirected instead, and no flag is used.',
  },
] as const

const USE_CASES = [
  {
    title: 'A name that you can say',
    text: 'meet.example.net leads to the long link of your video meeting. A 302 redirect follows a new link at once.',
  },
  {
    title: 'A site that has moved',
    text: 'With the path kept, every old link under blog.example.net leads to the same page of the new site.',
  },
  {
    title: 'A service on another port',
    text: 'cam.example.net leads to https://home.example.net:8443, so nobody has to remember the port.',
  },
  {
    title: 'A page under your own name',
    text: 'Stealth shows a portfolio or a form that another site hosts, under your domain and with your title.',
  },
] as const

interface ListProps {
  readonly title: string
  readonly items: readonly { readonly title: string; readonly text: string }[]
}

function Cards({ title, items }: ListProps) {
  return (
    <section className="forward-explanations" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {items.map((item) => (
          <li key={item.title} className="card">
            <h3>{item.title}</h3>
            <p className="muted">{item.text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Explanations() {
  return (
    <>
      <Cards title="Two types" items={TYPES} />
      <Cards title="What it is used for" items={USE_CASES} />
    </>
  )
}
