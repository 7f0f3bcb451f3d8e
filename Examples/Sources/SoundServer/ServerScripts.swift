/// The functions of the shell that start and end a server, and change its sinks.
///
/// The log of the server is the file `log` in its folder.
extension SoundServer.Kind {
  var script: String {
    switch self {
    case .pulseAudio: Self.pulseAudioScript
    case .pipeWirePulse, .pipeWire: Self.pipeWireScript
    }
  }

  private static let pulseAudioScript = """
    server=
    start_server() {
      rm -f messages
      mkfifo messages
      pulseaudio -n --daemonize=no --use-pid-file=no --exit-idle-time=-1 --realtime=no --high-priority=no \\
        --disable-shm=yes --log-target=stderr --log-level=info \\
        --load="module-native-protocol-unix socket=$PWD/native auth-anonymous=1" </dev/null >messages 2>&1 &
      server=$!
      exec 3<messages
      while read -r line <&3; do
        printf '%s\\n' "$line" >>log
        case $line in *'Daemon startup complete.'*) cat <&3 >>log & exec 3<&-; return 0 ;; esac
      done
      exec 3<&-
      printf 'PulseAudio does not start: %s\\n' "$(tail -n 3 log)"
      return 1
    }
    kill_server() {
      [ -z "$server" ] && return 0
      kill -9 "$server"
      wait "$server"
      server=
      return 0
    }
    end_server() { kill_server; }
    add_sink() {
      pactl load-module module-null-sink "sink_name=$1" "sink_properties=device.description=$1" \\
        rate=48000 channels=2 format=float32le
    }
    remove_sink() {
      module=$(pactl list short modules | grep "sink_name=$1 " | cut -f1)
      pactl unload-module "${module:-none}"
    }
    """

  /// PipeWire needs a session manager, which needs a bus.
  ///
  /// The bus outlives a kill of the server, as it does on a desktop. Without its fallback sink, PipeWire has the sinks
  /// that a test adds, as PulseAudio has.
  private static let pipeWireScript = """
    server=
    bus=
    until_true() {
      count=0
      until "$@" >/dev/null 2>&1; do
        count=$((count + 1))
        if [ $count -gt 1000 ]; then
          printf 'PipeWire does not start: %s\\n' "$(tail -n 3 log)"
          return 1
        fi
        sleep 0.02
      done
    }
    start_server() {
      if [ -z "$bus" ]; then
        mkdir pipewire
        grep -v module-always-sink /usr/share/pipewire/pipewire-pulse.conf >pipewire/pipewire-pulse.conf
        dbus-daemon --session --nofork --nopidfile --address="unix:path=$PWD/bus" </dev/null >>log 2>&1 &
        bus=$!
        until_true test -S bus || return
      fi
      rm -f pipewire-0 native
      pipewire </dev/null >>log 2>&1 &
      server=$!
      until_true test -S pipewire-0 || return
      wireplumber </dev/null >>log 2>&1 &
      server="$server $!"
      pipewire-pulse </dev/null >>log 2>&1 &
      server="$server $!"
      until_true timeout 5 pactl info || return
    }
    kill_server() {
      [ -z "$server" ] && return 0
      kill -9 $server
      wait $server
      server=
      return 0
    }
    end_server() {
      kill_server
      if [ -n "$bus" ]; then kill "$bus"; fi
    }
    has_sink() { pactl list short sinks | cut -f2 | grep -qx "$1"; }
    add_sink() {
      pw-cli create-node adapter "{ factory.name=support.null-audio-sink node.name=$1 node.description=$1 \\
        media.class=Audio/Sink object.linger=true audio.position=[ FL FR ] audio.rate=48000 }"
      until_true has_sink "$1"
    }
    has_no_sink() { ! has_sink "$1"; }
    remove_sink() {
      pw-cli destroy "$1" && until_true has_no_sink "$1"
    }
    """
}
