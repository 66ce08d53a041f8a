/** Arguments with which an Express router registers a route. */
interface Registered {
  readonly path: unknown;
  readonly methods: Readonly<Record<string, unknown>>;
}

/** The prototype of all routers: `express.Router.prototype`. */
interface RouterPrototype {
  route(path: unknown): Registered;
}

export interface RouteTable {
  /** Routes registered since the start of recording, with parameters as `{}`. */
  routes(): { readonly method: string; readonly path: string }[];
  restore(): void;
}

/** Records the routes that Express routers register, so that tests cover new routes without a list. */
export function recordRoutes(prototype: object): RouteTable {
  const routers = prototype as RouterPrototype;
  const route = routers.route;
  const registered: Registered[] = [];
  routers.route = function record(this: unknown, path: unknown) {
    const created = route.call(this as RouterPrototype, path);
    registered.push(created);
    return created;
  };
  return {
    routes: () =>
      registered.flatMap(({ path, methods }) =>
        Object.keys(methods)
          .filter((name) => name !== '_all')
          .map((name) => ({
            method: name.toUpperCase(),
            path: String(path).replaceAll(/\{?[:*]\w+\}?/g, '{}'),
          })),
      ),
    restore: () => void (routers.route = route),
  };
}
