"""The device side of ADB over TCP, and the emulator console: how real ADB clients reach the embedded phone.

`serve.PhoneServer` is the way in. The wire's layers, from the outside: `packets` (what travels), `connection` (the
handshake and the streams of one client), `services` (what a stream can be opened for), and one module a service.
"""
