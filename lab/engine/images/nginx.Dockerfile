# Replaces nginx:1.28: Debian's nginx and curl, with the user of the official image.
FROM saleschannel-engine/debian
RUN groupadd --system --gid 101 nginx && useradd --system --gid nginx --uid 101 --no-create-home nginx \
  && apt-get update -q && apt-get install -y -q --no-install-recommends nginx-light curl && rm -rf /var/lib/apt/lists/*
STOPSIGNAL SIGQUIT
CMD ["nginx", "-g", "daemon off;"]
