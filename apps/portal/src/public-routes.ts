import { Router } from 'express';

/** Pages that anybody may see, and that work without script. They come before those of people who are signed in. */
export function publicRoutes(): Router {
  return Router();
}
